import type { Schemas } from "@gateway/contract";
import { presentApiKey } from "../accounts/index.ts";
import type { Own } from "@gateway/engine/find-own";
import type { Page, PageRequest } from "@gateway/engine/page";
import type { Services } from "../compose/may-call.ts";

const pageSize = 100;

/**
 * Things that a person made in the account and that still open or send something. With `isRevoked` all of them end,
 * each with its own audit event. Webhooks are disabled, not deleted. Refuses to end the last admin key. The caller
 * holds the person.
 */
export async function endCreated(
  { accounts, events }: Pick<Services, "accounts" | "events">,
  { accountId, personId, isRevoked, nowMs }: { accountId: string; personId: string; isRevoked: boolean; nowMs: number },
): Promise<Schemas["CreatedThings"]> {
  const own = { accountId, createdBy: personId };
  const apiKeys = (await listAll(accounts.apiKeys, own)).filter((key) => presentApiKey(key, nowMs).status === "active");
  const oauthApplications = await listAll(accounts.oauthApplications, own);
  const webhooks = (await listAll(events.webhooks, own)).filter(({ status }) => status !== "disabled");
  const invitations = (await listAll(accounts.people, { accountId })).filter(
    ({ joinedAt, createdBy }) => joinedAt === null && createdBy?.id === personId,
  );
  if (isRevoked) {
    await endEach(apiKeys, accounts.apiKeys.revoke, accountId);
    await endEach(oauthApplications, accounts.oauthApplications.delete, accountId);
    await endEach(webhooks, events.webhooks.disable, accountId);
    await endEach(invitations, accounts.people.remove, accountId);
  }
  return {
    apiKeys: apiKeys.map(({ id, name }) => ({ id, name, revoked: isRevoked })),
    oauthApplications: oauthApplications.map(({ id, name }) => ({ id, name, revoked: isRevoked })),
    webhooks: webhooks.map(({ id, url }) => ({ id, url, revoked: isRevoked })),
    invitations: invitations.map(({ id, email }) => ({ id, email, revoked: isRevoked })),
  };
}

async function listAll<Of extends { accountId: string }, Item>(
  noun: { list(request: Of & PageRequest): Promise<Page<Item>> },
  of: Of,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await noun.list({ ...of, limit: pageSize, cursor });
    all.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

async function endEach(
  things: readonly { id: string }[],
  end: (own: Own) => Promise<unknown>,
  accountId: string,
): Promise<void> {
  for (const { id } of things) {
    await end({ id, accountId });
  }
}
