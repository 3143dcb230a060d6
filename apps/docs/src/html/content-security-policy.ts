const strict = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'self'",
  "form-action": "'none'",
};

/** Redocly's page writes its styles at run time, a font of icons among them, and searches in a worker that it makes of a blob. */
const ofReference = {
  ...strict,
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "worker-src": "blob:",
};

export type PolicyOptions = {
  kind: "page" | "reference";
  /** Hashes of the scripts that may run although they stand in the page. */
  scriptSources: readonly string[];
};

/** As a page carries it itself, so that it holds on any static server. */
export function contentSecurityPolicy({ kind, scriptSources }: PolicyOptions): string {
  const policy = kind === "reference" ? ofReference : strict;
  return Object.entries({ ...policy, "script-src": [policy["script-src"], ...scriptSources].join(" ") })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
