// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
'use strict';

// Swagger UI with the document of this host, and a table of contents, which Swagger UI does not have.
const base = document.body.dataset.basePath;
const nav = document.querySelector('nav');
const view = document.getElementById('view');
const names = {
  '#auth-bearer-value': document.body.dataset.credential,
  '[aria-label="Apply credentials"]': 'Authorize',
  '[aria-label="Remove authorization"]': 'Logout',
  '.close-modal': 'Close',
  '.body-param__text': 'Body',
  '.examples-select-element': 'Example',
};

show().catch((cause) => {
  const link = make('a', 'openapi.json', { href: `${base}/openapi.json` });
  view.replaceChildren(make('p', ['The description of the interface could not be loaded: ', link, ` (${cause.message}).`]));
});

async function show() {
  follow(matchMedia('(prefers-color-scheme: dark)'));
  new MutationObserver(addNames).observe(view, { childList: true, subtree: true });
  const description = await load();
  const ui = SwaggerUIBundle({
    domNode: view,
    spec: description,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1, // Each operation shows the schemas that it uses.
    syntaxHighlight: false, // Its colours are for a dark background only.
    plugins: [mended],
  });
  await appears('.info .description');
  nav.append(listContents(description));
  nav.hidden = false;
  go(ui);
  addEventListener('hashchange', () => go(ui));
  nav.addEventListener('click', ({ target }) => {
    unfold(target.tagName === 'BUTTON' && !isUnfolded());
    // The browser announces no change when the address stays the same.
    if (target.hash === location.hash) go(ui);
  });
}

/** Changes the look with the system, by day and by night. */
function follow(dark) {
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

/** The document. Requests that are tried go to the host of the page, whatever server address the document has. Parameters of
 * a path become parameters of its operations, since Swagger UI resolves references only there. */
async function load() {
  const answer = await fetch(`${base}/openapi.json`);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const description = await answer.json();
  description.servers = [{ url: `${location.origin}${base}` }];
  for (const [path, { parameters = [], ...operations }] of Object.entries(description.paths)) {
    for (const operation of Object.values(operations)) operation.parameters = [...operation.parameters ?? [], ...parameters];
    description.paths[path] = operations;
  }
  return description;
}

/** A plugin of Swagger UI. It leaves out the choice of a server, since there is only one. It gives an answer the class of its
 * status, for the colour. It folds the header fields of each documented answer, which are nearly the same for all. */
function mended({ React: { createElement } }) {
  return {
    components: { ServersContainer: () => null },
    wrapComponents: {
      liveResponse: (Original) => (properties) =>
        createElement('div', { className: `status-${Math.floor(properties.response.get('status') / 100)}` },
          createElement(Original, properties)),
      headers: (Original) => (properties) => properties.headers?.size
        ? createElement('details', null, createElement('summary', null, 'Header fields'), createElement(Original, properties))
        : null,
    },
  };
}

/** Completes when Swagger UI has made such an element. */
function appears(selector, within = view) {
  return new Promise((done) => {
    const observer = new MutationObserver(look);
    observer.observe(within, { childList: true, subtree: true });
    look();

    function look() {
      if (!within.querySelector(selector)) return;
      observer.disconnect();
      done();
    }
  });
}

/** Names the parts that Swagger UI leaves without a name, or with another one than people see. */
function addNames() {
  for (const [selector, name] of Object.entries(names))
    for (const found of view.querySelectorAll(selector)) found.ariaLabel = name;
  for (const found of view.querySelectorAll('[data-param-name] :is(input, select)'))
    found.ariaLabel = found.closest('[data-param-name]').dataset.paramName;
}

const isUnfolded = () => nav.dataset.unfolded === 'yes';

/** Shows or hides the contents where the screen is narrow; elsewhere they are always there. */
function unfold(yes) {
  nav.dataset.unfolded = yes ? 'yes' : 'no';
  nav.querySelector('button').setAttribute('aria-expanded', yes);
}

/** The chapters of the description and the operations of each tag, as links. */
function listContents({ tags, paths }) {
  const chapters = [...view.querySelectorAll('.info .description h1')].map((heading) => {
    heading.id = heading.textContent.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    return make('a', heading.textContent, { href: `#${heading.id}` });
  });
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const groups = tags.map(({ name }) => {
    const links = operations.filter((operation) => operation.tags.includes(name)).map(({ operationId, summary, deprecated }) =>
      make('a', summary, { href: `#/${name}/${operationId}`, className: deprecated ? 'deprecated' : '' }));
    return [make('a', name, { href: `#/${name}` }), makeList(links)];
  });
  return makeList([...chapters, ...groups], { id: 'contents' });
}

/** Opens what the address names, and scrolls there: `#errors`, `#/pets` or `#/pets/listPets`. */
async function go(ui) {
  const [chapter, tag, operation] = location.hash.slice(1).split('/');
  const target = document.getElementById(chapter || ['operations', operation ? tag : 'tag', operation ?? tag].join('-'));
  if (!target) return;
  if (tag) ui.layoutActions.show(['operations-tag', tag], true);
  if (operation) {
    ui.layoutActions.show(['operations', tag, operation], true);
    await appears('.responses-wrapper', target);
  }
  target.scrollIntoView();
  // The key Tab and a screen reader go on from there, and not from the link.
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function make(name, content, properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...[content].flat());
  return made;
}

function makeList(entries, properties) {
  return make('ul', entries.map((entry) => make('li', entry)), properties);
}
