/** As a page carries it itself, so that it holds on any static server. Nothing that stands in a page runs or styles. */
export const contentSecurityPolicy = Object.entries({
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'self'",
  "form-action": "'none'",
})
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join("; ");
