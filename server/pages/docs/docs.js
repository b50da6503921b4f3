// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
'use strict';

// RapiDoc with the document of this host. Requests that are tried go to the host of the page, whatever server address the
// document has.
const base = document.body.dataset.basePath;
const view = document.createElement('rapi-doc');
const fixed = {
  'spec-url': `${base}/openapi.json`,
  'server-url': `${location.origin}${base}`,
  'default-api-server': `${location.origin}${base}`,
  'allow-server-selection': 'false',
  'allow-spec-url-load': 'false',
  'allow-spec-file-load': 'false',
  'allow-spec-file-download': 'true',
  'allow-advanced-search': 'false',
  'show-header': 'false',
  'load-fonts': 'false',
  'regular-font': 'system-ui, sans-serif',
  'mono-font': 'ui-monospace, Menlo, Consolas, monospace',
  'render-style': 'read',
  'info-description-headings-in-navbar': 'true',
  'schema-style': 'table',
  'default-schema-tab': 'example',
  'schema-description-expanded': 'true',
  'show-curl-before-try': 'true',
  'use-path-in-nav-bar': 'false',
  'on-nav-tag-click': 'show-description',
};
const themes = {
  light: {
    'theme': 'light', 'bg-color': '#ffffff', 'text-color': '#1c2430', 'primary-color': '#0b66b2',
    'nav-bg-color': '#f3f5f8', 'nav-text-color': '#1c2430', 'nav-hover-bg-color': '#e3e8ef',
    'nav-hover-text-color': '#0b66b2', 'nav-accent-color': '#0b66b2',
  },
  dark: {
    'theme': 'dark', 'bg-color': '#12171e', 'text-color': '#dde3ea', 'primary-color': '#6cb6ff',
    'nav-bg-color': '#0d1116', 'nav-text-color': '#c6ced8', 'nav-hover-bg-color': '#1d2530',
    'nav-hover-text-color': '#6cb6ff', 'nav-accent-color': '#6cb6ff',
  },
};

function apply(attributes) {
  for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value);
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => apply(themes[dark.matches ? 'dark' : 'light']));
apply(fixed);
apply(themes[dark.matches ? 'dark' : 'light']);
document.body.append(view);

// Corrects elements that are too wide for a small screen, a heading on the wrong side, and links with too little contrast.
const mended = new CSSStyleSheet();
mended.replaceSync(`
  #api-info { margin-left: 0 !important; }
  #api-info div { flex-wrap: wrap; }
  #api-info .m-btn { min-width: max-content !important; margin-bottom: 6px; }
  .nav-bar-section.operations { flex-direction: row-reverse; }
  a, api-request::part(anchor), api-response::part(anchor) { color: var(--primary-color); }
  @media (max-width: 767px) {
    .section-gap--read-mode, .section-tag { padding-left: 14px; padding-right: 14px; }
    .m-markdown table { display: block; max-width: 100%; overflow-x: auto; }
    .m-markdown th, .m-markdown td { padding: 6px; overflow-wrap: anywhere; }
    .m-markdown th { min-width: 3.5em; }
    api-request::part(wrap-request-btn) { flex-wrap: wrap; row-gap: 8px; }
  }
`);
view.shadowRoot.adoptedStyleSheets = [...view.shadowRoot.adoptedStyleSheets, mended];
