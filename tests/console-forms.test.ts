import { expect, test } from "vitest";
import { operationForms } from "../apps/console/src/build/operation-forms.ts";
import { readApiDocuments } from "../apps/docs/src/reference/api-document.ts";
import { operationAnchor, operationPath } from "../apps/docs/src/reference/operation-anchor.ts";

test("each form of the console leads to its operation in the reference", () => {
  const [gateway] = readApiDocuments();
  const anchors = gateway?.operations.map((one) => [
    one.operationId,
    `/${operationPath("gateway", one)}.html${operationAnchor(one)}`,
  ]);
  expect(Object.fromEntries(anchors ?? [])).toEqual(
    Object.fromEntries([...operationForms()].map(([operationId, { reference }]) => [operationId, reference])),
  );
});
