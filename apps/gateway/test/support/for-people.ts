import type { Ask } from "./http-client.ts";
import { allOperations } from "./document-request.ts";
import type { TestGateway } from "./test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestIssuer } from "./test-issuer.ts";

/** Returns headers of an owner who has just signed in at the console, at each call. */
export async function signInAtConsole(
  gateway: TestGateway,
  { issuer, account }: { issuer: TestIssuer; account: { id: string } },
): Promise<() => Promise<Record<string, string>>> {
  const grant = await createTestGrant(gateway, account, { isConsole: true });
  return async () => {
    const signedInAt = Math.floor(Date.now() / 1000);
    return bearer(await mintToken(issuer, grant, { claims: { auth_time: signedInAt } }));
  };
}

const peoplesPaths = allOperations
  .filter(({ personRequired }) => personRequired)
  .map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}(?:\\?|$)`),
  }));

/** Whether the operation is closed to keys. */
export function isForPeople({ method = "GET", target }: Ask): boolean {
  return peoplesPaths.some((one) => one.method === method && one.path.test(target));
}
