// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The viewers of OpenAPI documents that compare.mjs compares. Each has the shortest page that its own documentation gives,
// set to ask no other host. `ready` says when the operations are there, `menu` what opens the navigation on a phone; `tries`
// says whether the package sends requests with a key, according to its documentation.
const isDark = `matchMedia('(prefers-color-scheme: dark)').matches`;

export const viewers = [
  {
    name: 'Swagger UI',
    package: 'swagger-ui-dist',
    scripts: ['swagger-ui-bundle.js'],
    styles: ['swagger-ui.css'],
    page: '<div id="view"></div>',
    start: `SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#view' });
      document.documentElement.classList.toggle('dark-mode', ${isDark});`,
    ready: `document.querySelectorAll('.opblock').length > 0`,
    tries: true,
  },
  {
    name: 'Scalar',
    package: '@scalar/api-reference',
    scripts: ['dist/browser/standalone.js'],
    page: '<div id="view"></div>',
    start: `Scalar.createApiReference('#view', { url: '/v1/openapi.json', withDefaultFonts: false, telemetry: false,
      agent: { disabled: true }, mcp: { disabled: true }, showDeveloperTools: 'never', hideClientButton: true });`,
    ready: `document.body.textContent.includes('List animals')`,
    menu: 'header button',
    tries: true,
  },
  {
    name: 'Redoc',
    package: 'redoc',
    kind: 'type="module"',
    scripts: ['bundles/redoc.standalone.js'],
    page: '<redoc spec-url="/v1/openapi.json" disable-telemetry="true"></redoc>',
    ready: `document.body.textContent.includes('Plans and limits')`,
    menu: 'button[aria-label*=menu]',
    tries: false,
  },
  {
    name: 'RapiDoc',
    package: 'rapidoc',
    scripts: ['dist/rapidoc-min.js'],
    page: '<rapi-doc spec-url="/v1/openapi.json" render-style="read" show-header="false" load-fonts="false"></rapi-doc>',
    start: `document.querySelector('rapi-doc').setAttribute('theme', ${isDark} ? 'dark' : 'light');`,
    ready: `document.querySelector('rapi-doc').shadowRoot.textContent.includes('Place an order')`,
    tries: true,
  },
  {
    name: 'Elements',
    package: '@stoplight/elements',
    scripts: ['web-components.min.js'],
    styles: ['styles.min.css'],
    page: '<elements-api apiDescriptionUrl="/v1/openapi.json" router="hash" layout="responsive"></elements-api>',
    ready: `document.body.textContent.includes('Plans and limits')`,
    menu: '.sl-elements-api button',
    tries: true,
  },
];
