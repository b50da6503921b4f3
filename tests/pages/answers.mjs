// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What becomes of the answers to a page. Each of these is a script for the page.

// From now on, answers reach the page one by one: when `held` of the page lets them, or `release` the first to that path.
// `asked` counts the questions.
export const holdAnswers = `void (() => {
  const real = fetch;
  Object.assign(window, { held: [], asked: 0 });
  window.fetch = async (path, question) => {
    asked += 1;
    const { ok, status, headers, body } = await real(path, question).then(async (a) => ({ ok: a.ok, status: a.status, headers: a.headers, body: await a.text() }));
    await new Promise((pass) => held.push(Object.assign(pass, { path })));
    return { ok, status, headers, text: async () => body };
  };
  window.release = (path) => {
    const place = held.findIndex((pass) => pass.path === path);
    if (place >= 0) held.splice(place, 1)[0]();
    return place >= 0;
  };
})()`;

// From now on, questions whose path begins so do not reach the server, and are answered with this.
export const answerWith = (beginning, body, headers) => `void (() => {
  const real = fetch;
  window.fetch = async (path, question) => path.startsWith(${JSON.stringify(beginning)})
    ? new Response(${JSON.stringify(JSON.stringify(body))}, { headers: ${JSON.stringify(headers)} })
    : real(path, question);
})()`;

// The first question with this path fails, as it does without a network.
export const failOnce = (path) => `(() => {
  const real = fetch;
  let has_failed = false;
  window.fetch = (asked, question) => {
    if (asked !== ${JSON.stringify(path)} || has_failed) return real(asked, question);
    has_failed = true;
    return Promise.reject(new TypeError('no network'));
  };
})()`;
