import type { Services } from "@gateway/platform/compose/may-call";
import type { Grant, KoaContextWithOIDC } from "oidc-provider";

/**
 * The grant of an authorize request: the one just given, else the last of this browser, else the only one of the user.
 * A suspended account's does not count for now. With several accounts the user is asked again.
 */
export async function findGrant(
  { oidc }: Pick<KoaContextWithOIDC, "oidc">,
  { accounts: { grants: known } }: Pick<Services, "accounts">,
): Promise<Grant | undefined> {
  const { client, session, account, provider } = oidc;
  if (!client || !session || !account) {
    return undefined;
  }
  const given = oidc.result?.consent?.grantId;
  const lastUsed = given ?? session.grantIdFor(client.clientId);
  const grant = lastUsed === undefined ? undefined : await provider.Grant.find(lastUsed);
  const isAlive = async (id: string): Promise<boolean> => (await known.findHolder(id))?.isSuspended === false;
  if (grant?.accountId === account.accountId && (await isAlive(grant.jti))) {
    return grant;
  }
  const grants = await known.listOfUser(account.accountId);
  const [only, another] = grants.filter(({ applicationId }) => applicationId === client.clientId);
  return only && !another && (await isAlive(only.grantId)) ? provider.Grant.find(only.grantId) : undefined;
}
