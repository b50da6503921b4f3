// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of the animals, to look at.
import { listen } from '/shared.js';
import { show_list } from '/list.js';

show_list({
  source: '/admin/v1/pets',
  table: 'pets',
  none: 'There is no such animal.',
  cells: ({ id, name, categoryId, status }) => [String(id), name, String(categoryId), status ?? '–'],
});
listen(() => {});
