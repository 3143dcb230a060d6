import { operations } from "@gateway/contract";
import { includesPermission, permissions } from "@gateway/platform/accounts";
import { describe, expect, test } from "vitest";
import { parseAccessTable, readAccessTable } from "./support/access-table.ts";
import { allOperations } from "./support/document-request.ts";

const table = readAccessTable();

test("the access table has a line for each operation of the document, and no other", () => {
  expect([...table.keys()].toSorted()).toEqual(Object.keys(operations).toSorted());
});

// A line that is missing is named once, by the test above.
test.each(allOperations.filter(({ operationId }) => table.has(operationId)))(
  "$operationId is as open as the access table says, and no more",
  (operation) => {
    const { permission, personRequired, success } = operation;
    const granted = permissions.map((held) => {
      const isAllowed = !personRequired && includesPermission(held, permission);
      return [held, isAllowed ? success : 403];
    });
    expect(table.get(operation.operationId)).toMatchObject(Object.fromEntries(granted));
  },
);

describe("a line of the access table", () => {
  const refused = { none: 401, malformed: 401, unknown: 401, revoked: 401, expired: 401, otherEnvironment: 401 };
  const others = { ...refused, twoCredentials: 400, bearer: 401 };

  test.each([
    ["getWallet read 200", { ...others, read: 200, write: 200, admin: 200 }],
    ["createWallet write 201", { ...others, read: 403, write: 201, admin: 201 }],
    ["createApiKey admin 201", { ...others, read: 403, write: 403, admin: 201 }],
    [
      "getStatus read 200 none=200 bearer=403",
      { ...others, none: 200, bearer: 403, read: 200, write: 200, admin: 200 },
    ],
  ])("%s gives every credential its status, with its exceptions", (line, row) => {
    expect([...parseAccessTable(`${line}\n`).values()]).toEqual([row]);
  });

  test.each([
    "getWallet",
    "getWallet read",
    "getWallet owner 200",
    "getWallet read ok",
    "getWallet read 200 nobody=401",
    "getWallet read 200 none",
    "getWallet  read 200",
    "getWallet read 200\ngetWallet read 200",
  ])("that says less or more is refused: %j", (text) => {
    expect(() => parseAccessTable(`${text}\n`)).toThrow("access-table.txt: getWallet");
  });
});
