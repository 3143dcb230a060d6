import type { Platform } from "@gateway/platform/compose/platform";

/** API keys made by a person, as at `POST /api-keys`. The person is the initiator of everything done with them. */
export function keysMadeBy(platform: Pick<Platform, "from">, personId: string) {
  const actor = { type: "person", id: personId, applicationId: null } as const;
  return platform.from({ actor, clientAddress: null, requestId: null }).accounts.apiKeys;
}
