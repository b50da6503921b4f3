// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of the orders, to look at.
import { listen, moment } from '/shared.js';
import { show_list } from '/list.js';

show_list({
  source: '/admin/v1/orders',
  table: 'orders',
  none: 'There is no such order.',
  cells: ({ id, petId, status, createdAt, updatedAt }) => [String(id), String(petId), status, moment(createdAt), moment(updatedAt)],
});
listen(() => {});
