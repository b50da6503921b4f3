// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of the audit log: who changed which key, and when.
import { key_link, listen, moment } from '/shared.js';
import { show_list } from '/list.js';

show_list({
  source: '/admin/v1/audit',
  table: 'changes',
  none: 'There is no such change.',
  cells: ({ time, actor, action, key, detail }) => [moment(time), actor, action, key_link(key), detail],
});
listen(() => {});
