import { enforcedOpenapi, operations, type OperationPolicy } from "@gateway/contract";
import { expect } from "vitest";
import { prepareOperations } from "../../src/validation/prepare-operations.ts";
import type { Answer, Ask } from "./http-client.ts";

const document = enforcedOpenapi();
const patterns = new Map(Object.values<OperationPolicy>(operations).map(({ path }) => [path, patternOf(path)]));
/** Compiled once for all gateways of a worker. */
const prepared = new Map(
  prepareOperations(document, { atFirstUse: "responses" }).map((operation) => [operation.operationId, operation]),
);

export type DocumentCheck = (request: Pick<Ask, "method" | "target">, answer: Answer) => void;

/**
 * Fails when an operation responds with a status, a code or a body that the document does not list. Ignores other paths
 * and methods, and in production the operations of the sandbox.
 */
export function createDocumentCheck({ livemode = false }: { livemode?: boolean } = {}): DocumentCheck {
  return (request, answer) => {
    const operation = findOperation(request);
    if (!operation || (operation.sandboxOnly && livemode)) {
      return;
    }
    // The table of operations is generated from the document, and the linter requires responses of each operation.
    const documented = document.paths[operation.path]?.[operation.method] as { responses: object } | undefined;
    expect(Object.keys(documented?.responses ?? {}), `${operation.operationId} answers ${answer.text}`).toContain(
      String(answer.status),
    );
    if (request.method !== "HEAD") {
      prepared.get(operation.operationId)?.checkResponse(answer.status, answer.json as object);
      expectListedCode(operation, answer);
    }
  };
}

function expectListedCode({ operationId, problems }: OperationPolicy, { json }: Answer): void {
  const { error } = json as { error?: { code: string } };
  if (error) {
    expect(problems, `x-problems of ${operationId}`).toContain(error.code);
  }
}

/** The operation of a request target, according to the document alone. */
function findOperation({ method = "GET", target }: Pick<Ask, "method" | "target">): OperationPolicy | undefined {
  const [path = ""] = target.split("?");
  const meant = method === "HEAD" ? "get" : method.toLowerCase();
  return Object.values<OperationPolicy>(operations).find(
    (operation) => operation.method === meant && patterns.get(operation.path)?.test(path),
  );
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
