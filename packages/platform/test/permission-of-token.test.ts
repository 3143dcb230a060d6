import { describe, expect, test } from "vitest";
import {
  permissionOfConsent,
  permissionOfToken,
  permissions,
  roles,
  scopes,
  type Permission,
} from "../src/accounts/index.ts";

const subsets = Array.from({ length: 2 ** scopes.length }, (_, bits) =>
  scopes.filter((_scope, place) => bits & (2 ** place)),
);
const worth = (permission: Permission | null): number => (permission ? permissions.indexOf(permission) : -1);
const isWithin = (some: readonly string[], all: readonly string[]): boolean => some.every((one) => all.includes(one));

describe("the permission of a token", () => {
  test("is never greater than what was consented to, whatever is asked for or registered afterwards", () => {
    const broken = subsets.flatMap((consented) => {
      const said = permissionOfConsent({ scopes: consented, applicationScopes: consented });
      const tokens = subsets.filter((tokenScopes) => isWithin(tokenScopes, consented));
      return tokens.flatMap((tokenScopes) =>
        subsets.flatMap((applicationScopes) =>
          roles.filter((role) => {
            const token = { role, grantPermission: said, tokenScopes, applicationScopes };
            return worth(permissionOfToken(token)) > worth(said);
          }),
        ),
      );
    });
    expect(broken).toEqual([]);
  });

  test("is never greater with fewer scopes", () => {
    const broken = subsets.flatMap((tokenScopes) => {
      const narrowed = subsets.filter((fewer) => isWithin(fewer, tokenScopes));
      return permissions.flatMap((grantPermission) =>
        roles.flatMap((role) => {
          const of = (names: readonly string[]): number =>
            worth(permissionOfToken({ role, grantPermission, tokenScopes: names, applicationScopes: scopes }));
          return narrowed.filter((fewer) => of(fewer) > of(tokenScopes));
        }),
      );
    });
    expect(broken).toEqual([]);
  });
});
