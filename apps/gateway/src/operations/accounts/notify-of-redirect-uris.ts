import { notifyOwners, type OauthApplication } from "@gateway/platform";
import type { OperationCall } from "../operation.ts";
import { describeCaller } from "./describe-caller.ts";

type Call = Pick<
  OperationCall<"createOauthApplication" | "updateOauthApplication">,
  "principal" | "clientAddress" | "deps"
>;

/** Where people are sent with what they allowed. Owners read hosts: the rest of an address is whatever its author wanted to say. */
export async function notifyOfRedirectUris(
  { principal, clientAddress, deps }: Call,
  { id: applicationId, redirectUris }: OauthApplication,
  known: readonly string[],
): Promise<void> {
  const added = redirectUris.filter((uri) => !known.includes(uri));
  const hosts = [...new Set(added.map((uri) => new URL(uri).host))];
  if (hosts.length > 0) {
    const by = await describeCaller(principal, deps);
    await notifyOwners(deps, principal.accountId, {
      kind: "redirect_uri_added",
      clientAddress,
      by,
      applicationId,
      hosts,
    });
  }
}
