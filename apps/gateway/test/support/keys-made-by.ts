import type { Platform } from "@gateway/platform/compose/platform";

/** API keys that a person makes, as at `POST /api-keys`: the person counts as who asks for what is done with them. */
export function keysMadeBy(platform: Pick<Platform, "from">, personId: string) {
  const actor = { type: "person", id: personId, applicationId: null } as const;
  return platform.from({ actor, clientAddress: null, requestId: null }).accounts.apiKeys;
}
