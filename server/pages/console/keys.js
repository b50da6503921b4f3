// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of the keys. Everything it knows and does goes through the administration API.
import { ask, at, do_once, element, key_link, listen, moment, offer, on_submit, plans_of, present, quota_bar, tell, whole,
  windows_of } from '/shared.js';
import { show_list } from '/list.js';
import { show_secret } from '/secret.js';

const base = '/admin/v1/keys';

// --- the list

function used_of_longest(quota) {
  const [period, q] = windows_of(quota).at(-1);
  const cell = element('span', '', 'used');
  cell.append(quota_bar(period, q), `${whole.format(q.used)} of ${whole.format(q.quota)} ${present(period)}`);
  return cell;
}

const show = show_list({
  source: base,
  table: 'keys',
  none: 'There is no such key.',
  more: { include: 'quota' },
  cells: (key) => [key_link(key.id), key.name, key.plan, element('span', key.state, key.state === 'active' ? 'good' : 'bad'),
    key.lastUsedAt ? moment(key.lastUsedAt) : 'never', used_of_longest(key.quota)],
});

// --- a new key

at('make').addEventListener('click', () => {
  tell('make-trouble', '');
  at('make-box').showModal();
});
// What is written stays when the box is closed by Escape or by the end of the session.
at('make-cancel').addEventListener('click', () => {
  at('make-form').reset();
  at('make-box').close();
});
on_submit('make-form', () => do_once([at('make-go')], async () => {
  const expires = at('make-expires').value;
  const body = { name: at('make-name').value, plan: at('make-plan').value, scope: at('make-scope').value };
  if (expires) body.expiresAt = new Date(expires).toISOString();
  for (const [name, id] of [['perMinute', 'make-per-minute'], ['perDay', 'make-per-day']])
    if (at(id).value !== '') body[name] = Number(at(id).value);
  try {
    const made = await ask(base, { method: 'POST', body });
    at('make-form').reset();
    at('make-box').close();
    show_secret(made.body);
    await show();
  } catch (failure) {
    tell('make-trouble', failure.message);
  }
}));

listen((sample) => {
  offer(at('plan'), ['all', ...plans_of(sample)]);
  offer(at('make-plan'), plans_of(sample));
});
