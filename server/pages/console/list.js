// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A list of the administration API with its filters and pages. The address of the page has the filters and the cursor,
// so that a reload, the way back, and a link to it show the same.
import { ask, at, choose, element, follow_session, tell } from '/shared.js';

const page_size = 25;

// RFC 8288: <…?cursor=…>; rel="next"
export function next_cursor(headers) {
  const link = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link ? new URL(link, location.href).searchParams.get('cursor') : null;
}

const to_query = (parameters) => String(parameters).replaceAll('+', '%20'); // in a query of the API, + is a plus

// Shows the list while somebody is signed in. The fields of the form `filters` have the names of the API's parameters;
// the first choice of a list of choices is the usual one. `cells` returns the cells of an entry. Returns what shows the
// page again.
export function show_list({ source, table, cells, none, more = {} }) {
  const fields = [...at('filters').elements].filter(({ name }) => name !== '');
  const rows = at(table).tBodies[0];
  let next = null;
  let asked = 0; // counts the pages that were asked for
  let shown = 0; // the count of the page that is shown
  let shown_at = null; // the query of the address that it was shown for
  let turned = 0; // the count of the page that a click on a button asked for

  const usual = (field) => (field.options ? field.options[0].value : '');

  function fill_form() {
    const given = new URLSearchParams(location.search);
    for (const field of fields) choose(field, given.get(field.name) || usual(field));
  }

  function make_row(entry) {
    const row = element('tr');
    for (const cell of cells(entry)) row.insertCell().append(cell);
    return row;
  }

  // Only the newest part of a long list may have been searched.
  function make_empty_row() {
    const row = element('tr');
    const cell = element('td', next === null ? none : 'There is none in the part that was searched. The next page searches further.', 'quiet');
    cell.colSpan = at(table).tHead.rows[0].cells.length;
    row.append(cell);
    return row;
  }

  // For those who do not see that the rows are others now.
  function announce(count) {
    const [first, last] = [rows.rows[0], rows.rows[rows.rows.length - 1]].map((row) => row.cells[0].textContent);
    at('shown').textContent = count > 0 ? `${count} shown, from ${first} to ${last}` : first;
  }

  async function show() {
    const turn = ++asked;
    const query = location.search;
    const given = new URLSearchParams(location.search);
    const wanted = new URLSearchParams({ limit: page_size, ...more });
    for (const name of [...fields.map((field) => field.name), 'cursor']) if (given.get(name)) wanted.set(name, given.get(name));
    at('previous').disabled = !given.get('cursor');
    try {
      const { body, headers } = await ask(`${source}?${to_query(wanted)}`);
      if (turn !== asked) return; // another page is to be shown meanwhile, or nobody is signed in any more
      next = next_cursor(headers);
      rows.replaceChildren(...(body.length > 0 ? body.map(make_row) : [make_empty_row()]));
      announce(body.length);
      tell('trouble', '');
    } catch (failure) {
      if (turn !== asked) return;
      rows.replaceChildren();
      next = null;
      at('shown').textContent = '';
      tell('trouble', failure.message);
    }
    at('next').disabled = next === null;
    shown = turn;
    shown_at = query;
  }

  // A second click, before the page that the first one asked for is there, does nothing. A button that is disabled
  // meanwhile would lose the focus. While the page that is shown is read anew, a click counts.
  const on_turn = (id, then) => at(id).addEventListener('click', () => {
    if (shown_at !== location.search || turned > shown) return;
    then();
    turned = asked;
  });

  function go(parameters, state = null) {
    const query = to_query(parameters);
    const address = query ? `${location.pathname}?${query}` : location.pathname;
    if (address !== location.pathname + location.search) history.pushState(state, '', address);
    return show();
  }

  function search() {
    const parameters = new URLSearchParams();
    for (const field of fields) {
      const value = field.value.trim();
      if (value !== usual(field)) parameters.set(field.name, value);
    }
    return go(parameters);
  }

  at('filters').addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  for (const field of fields) if (field.options) field.addEventListener('change', search);
  on_turn('next', () => {
    const parameters = new URLSearchParams(location.search);
    parameters.set('cursor', next);
    go(parameters, 'after another');
  });
  // A page that a link led to has none before it that is known.
  on_turn('previous', () => {
    if (history.state === 'after another') {
      asked += 1;
      history.back();
      return;
    }
    const parameters = new URLSearchParams(location.search);
    parameters.delete('cursor');
    go(parameters);
  });
  addEventListener('popstate', () => {
    fill_form();
    show();
  });
  fill_form();
  follow_session(show, () => {
    asked += 1;
    shown_at = null;
    rows.replaceChildren();
    at('shown').textContent = '';
  });
  return show;
}
