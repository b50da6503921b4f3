// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Shows a new key, this once.
import { at } from '/shared.js';

export function show_secret({ id, key }) {
  at('secret-title').textContent = `The new key ${id}`;
  at('secret').value = key;
  at('copied').textContent = '';
  at('secret-box').showModal();
  at('copy').focus();
}

at('copy').addEventListener('click', () => {
  at('secret').select();
  // Unlike navigator.clipboard, this works on a page without TLS.
  at('copied').textContent = document.execCommand('copy') ? 'Copied.' : 'The browser did not copy it: it is selected, copy it by hand.';
});
at('secret-close').addEventListener('click', () => at('secret-box').close());
// Escape is pressed too easily for a key that is never shown again.
at('secret-box').addEventListener('cancel', (event) => event.preventDefault());
at('secret-box').addEventListener('keydown', (event) => { // a second Escape would close it all the same
  if (event.key === 'Escape') event.preventDefault();
});
at('secret-box').addEventListener('close', () => { at('secret').value = ''; });
