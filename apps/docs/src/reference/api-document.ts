import { authOpenapi, openapi as gatewayOpenapi } from "@gateway/contract";
import type { OpenApi, OperationObject, Server } from "./open-api.ts";

/** The documents of the site, with the names of their reference pages and files. */
const sources = [
  { name: "gateway", download: "openapi", read: gatewayOpenapi },
  { name: "auth", download: "auth", read: authOpenapi },
] as const;

export type DocumentName = (typeof sources)[number]["name"];

export type Operation = OperationObject & {
  method: string;
  path: string;
  service: string | null;
  sandboxOnly: boolean;
  directServers: readonly Server[];
};

export type ApiDocument = {
  name: DocumentName;
  download: string;
  openapi: OpenApi;
  operations: readonly Operation[];
};

/** All documents as they are published; the gateway's is first. */
export function readApiDocuments(): ApiDocument[] {
  return sources.map(({ name, download, read }) => {
    // The linter has held both against the OpenAPI schema.
    const openapi = read() as unknown as OpenApi;
    return { name, download, openapi, operations: listOperations(openapi) };
  });
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
        sandboxOnly: item["x-sandbox"] === true,
        directServers: (item.servers ?? []).filter((server) => server["x-service"] !== undefined),
      })),
  );
}
