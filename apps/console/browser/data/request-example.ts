import { requestExamples } from "virtual:request-examples";

/** The document's example of a body, where the operation has one, and the place of the operation in the reference. */
export type RequestExample = { readonly body?: unknown; readonly anchor: string };

export function exampleOf(operationId: string | null): RequestExample | null {
  // What the build writes has this shape (src/build/contract-modules.ts).
  return operationId === null ? null : ((requestExamples[operationId] as RequestExample | undefined) ?? null);
}
