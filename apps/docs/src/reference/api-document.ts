import type { OpenApi, OperationObject } from "./open-api.ts";
import { runRedocly } from "./redocly.ts";

/** The documents that the site shows: the name is that of its reference page, and `download`, with `.json`, of the file. */
const sources = [
  { name: "gateway", download: "openapi", file: "openapi.yaml" },
  { name: "auth", download: "auth", file: "auth.yaml" },
] as const;

export type DocumentName = (typeof sources)[number]["name"];

/** An operation with what the document says of it elsewhere. */
export type Operation = OperationObject & { method: string; path: string; service: string | null };

export type ApiDocument = {
  name: DocumentName;
  download: string;
  openapi: OpenApi;
  operations: readonly Operation[];
};

/** All documents, bundled; the gateway's is first. */
export async function readApiDocuments(): Promise<ApiDocument[]> {
  return Promise.all(
    sources.map(async ({ name, download, file }) => {
      const bundled = await runRedocly(["bundle", file, "--ext=json"]);
      // Redocly CLI writes the document that it has read.
      const openapi = JSON.parse(bundled) as OpenApi;
      return { name, download, openapi, operations: listOperations(openapi) };
    }),
  );
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

function listOperations(openapi: OpenApi): Operation[] {
  return Object.entries(openapi.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({
        // Under the name of a method there is an operation.
        ...(item[method] as OperationObject),
        method: method.toUpperCase(),
        path,
        service: item["x-service"] ?? null,
      })),
  );
}
