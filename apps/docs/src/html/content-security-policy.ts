/** The policy in each page itself, so that it holds on any static server. Inline scripts and styles do not run. */
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
