// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The ways in which people use a page. Each can push a button, fill a field, and choose from a list.

const focused = 'document.activeElement';

async function replaceText(page, text) {
  await page.evaluate(`${focused}.select()`);
  await page.type(text);
}

// A list of choices is drawn by the browser, outside of the page: it is set as the browser would.
const set = (page, selector, value) => page.evaluate(`(() => {
  const list = document.querySelector(${JSON.stringify(selector)});
  list.value = ${JSON.stringify(value)};
  list.dispatchEvent(new Event('change', { bubbles: true }));
})()`);

export const hands = [
  {
    name: 'mouse',
    push: (page, selector) => page.click(selector),
    async fill(page, selector, text) {
      await page.click(selector);
      await replaceText(page, text);
    },
    choose: set,
  },
  {
    name: 'keyboard',
    async push(page, selector) {
      await page.tabTo(selector);
      await page.press('Enter');
    },
    async fill(page, selector, text) {
      await page.tabTo(selector);
      await replaceText(page, text);
    },
    // The first letter of a choice chooses it.
    async choose(page, selector, value) {
      await page.tabTo(selector);
      await page.press(value[0]);
    },
  },
];
