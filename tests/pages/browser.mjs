// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Chromium without a window, over the DevTools protocol on a pipe: JSON messages that end with a zero byte, to the
// browser's descriptor 3 and from its descriptor 4.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// How long anything may take that is waited for. It is long because the machine may be busy; nothing takes it when all
// is well.
const patience = 60_000;

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Until `look` gives something; what it is waiting for is named in the complaint.
export async function until(what, look, limit = patience) {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${limit / 1000} s`);
    await sleep(50);
  }
}

export class Browser {
  #process;
  #profile;
  #pending = new Map();
  #listeners = new Map();
  #next = 1;
  #rest = '';

  static async start() {
    const browser = new Browser();
    browser.#profile = await mkdtemp(join(tmpdir(), 'petstore-pages-'));
    const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${browser.#profile}`, '--no-first-run',
      '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update',
      '--disable-default-apps', '--disable-sync', '--disable-extensions', '--hide-scrollbars', '--mute-audio'];
    // As root there is no sandbox to be had; the pages are our own.
    if (process.getuid() === 0) flags.push('--no-sandbox');
    browser.#process = spawn(process.env.CHROMIUM ?? 'chromium', flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.#process.on('exit', () => {
      for (const { reject } of browser.#pending.values()) reject(new Error('Chromium has ended'));
      browser.#pending.clear();
    });
    browser.#process.on('error', (cause) => {
      for (const { reject } of browser.#pending.values()) reject(cause);
      browser.#pending.clear();
    });
    browser.#process.stdio[3].on('error', () => {});
    browser.#process.stdio[4].setEncoding('utf8').on('data', (text) => browser.#receive(text));
    await browser.send('Browser.getVersion');
    return browser;
  }

  #receive(text) {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id) {
        const { resolve, reject } = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
      } else {
        this.#listeners.get(message.sessionId)?.(message.method, message.params);
      }
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  // A page of its own, of that size, light or dark; or one that has the cookies of the page `beside` it. `script` runs
  // before the scripts of the page.
  async open(url, { width = 1440, height = 900, dark = false, beside, script } = {}) {
    const browserContextId = beside?.context ?? (await this.send('Target.createBrowserContext')).browserContextId;
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.send(method, params, sessionId), () =>
      this.send('Target.disposeBrowserContext', { browserContextId }), browserContextId);
    this.#listeners.set(sessionId, (method, params) => page.note(method, params));
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }, { name: 'prefers-reduced-motion', value: 'reduce' }],
    });
    if (script) await page.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
    await page.send('Page.navigate', { url });
    return page;
  }

  async stop() {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.send('Browser.close').catch(() => {});
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(kill);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  complaints = []; // of the console, and of requests that failed
  requests = []; // every address that was asked for
  answers = []; // { url, status, headers }
  #begun = new Map();

  constructor(send, close, context) {
    this.send = send;
    this.close = close;
    this.context = context;
  }

  note(method, params) {
    switch (method) {
      case 'Runtime.exceptionThrown':
        this.complaints.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
        break;
      case 'Runtime.consoleAPICalled':
        if (['error', 'warning', 'assert'].includes(params.type))
          this.complaints.push(`console: ${params.args.map((a) => a.value ?? a.description).join(' ')}`);
        break;
      case 'Log.entryAdded':
        if (['error', 'warning'].includes(params.entry.level)) this.complaints.push(`log: ${params.entry.text} ${params.entry.url ?? ''}`);
        break;
      case 'Network.requestWillBeSent':
        this.#begun.set(params.requestId, params.request.url);
        this.requests.push(params.request.url);
        break;
      case 'Network.responseReceived':
        this.answers.push({ url: params.response.url, status: params.response.status, headers: params.response.headers });
        break;
      case 'Network.loadingFailed':
        if (!params.canceled) this.complaints.push(`failed: ${this.#begun.get(params.requestId)} ${params.errorText}`);
        break;
    }
  }

  // The value of an expression in the page; what it promises is waited for.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // While a page loads, there may be nothing to evaluate in yet.
  until(what, expression, limit = patience) {
    return until(what, () => this.evaluate(expression).catch(() => undefined), limit);
  }

  // A click with the mouse in the middle of an element. A page that has just become shorter scrolls with one of its next
  // frames, and the click may fall beside the element: then it is made again.
  async click(selector) {
    for (let tries = 0; tries < 5; tries += 1) {
      await this.#click_once(selector);
      // A page that the click has left has no such variable.
      if (!(await this.evaluate('window.click_is_missing === true').catch(() => false))) return;
    }
  }

  async #click_once(selector) {
    const { x, y } = await this.evaluate(`(async () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      window.click_is_missing = true;
      element.addEventListener('click', () => { window.click_is_missing = false; }, { capture: true, once: true });
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      for (let before = null; ;) {
        const box = element.getBoundingClientRect();
        if (before !== null && box.x === before.x && box.y === before.y) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        before = box;
        await new Promise(requestAnimationFrame);
      }
    })()`);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
  }

  async press(key, modifiers = 0) {
    const [code, text] = { Tab: [9], Enter: [13, '\r'], Escape: [27], a: [65, 'a'] }[key] ?? [key.toUpperCase().charCodeAt(0), key];
    const event = { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, windowsVirtualKeyCode: code, modifiers };
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyDown', ...(text && modifiers === 0 && { text }) });
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  }

  // Goes there with the key Tab, as somebody without a mouse does.
  async tabTo(selector) {
    for (let i = 0; i < 100; i += 1) {
      if (await this.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
      await this.press('Tab');
    }
    throw new Error(`the key Tab does not get to ${selector}`);
  }

  type(text) {
    return this.send('Input.insertText', { text });
  }

  async screenshot() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
}
