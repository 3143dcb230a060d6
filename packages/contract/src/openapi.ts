import { closeObjects } from "./close-objects.ts";
import authDocument from "./generated/auth.json" with { type: "json" };
import document from "./generated/openapi.json" with { type: "json" };

/** The bundled document, as far as its readers look into it. References point into `components`. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};

/**
 * A fresh copy of the published document: renderers change the object that they are given. Requests are closed in it,
 * and answers and events are open, for their readers must let pass what they do not know.
 */
export function openapi(): OpenApiDocument {
  return structuredClone(document);
}

/**
 * What we hold ourselves to: the same document as it is written, with every object closed. A fresh copy, for
 * validators.
 */
export function enforcedOpenapi(): OpenApiDocument {
  return closeObjects(document);
}

/** The document of production: without the paths that only the sandbox has. */
export function withoutSandbox(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).filter(([, item]) => item["x-sandbox"] !== true);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The same of the identity provider, whose shapes are those of OAuth and OpenID Connect. */
export function authOpenapi(): OpenApiDocument {
  return structuredClone(authDocument);
}
