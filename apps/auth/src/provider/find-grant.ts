import type { Services } from "@gateway/platform/compose/may-call";
import type { Grant, KoaContextWithOIDC } from "oidc-provider";

/**
 * The grant that an authorize request goes on with: the one just given, else the one this browser used last for the
 * application, else the only one the user has for it. One that the user, the account or a person's removal ended is
 * none, and one in a suspended account none for now. With several accounts and nothing to tell them apart, the user is
 * asked again.
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
