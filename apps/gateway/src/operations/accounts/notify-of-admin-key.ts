import { type ApiKey, notifyOwners } from "@gateway/platform";
import type { OperationCall } from "../operation.ts";
import { describeCaller } from "./describe-caller.ts";

type Call = Pick<OperationCall<"createApiKey" | "rollApiKey">, "principal" | "clientAddress" | "deps">;

/** Owners learn of every new key that can do everything, also of one that was rolled: whoever has stolen one would keep it so. */
export async function notifyOfAdminKey({ principal, clientAddress, deps }: Call, key: ApiKey): Promise<void> {
  if (key.permission === "admin") {
    const by = await describeCaller(principal, deps);
    const { id: apiKeyId, hint } = key;
    await notifyOwners(deps, principal.accountId, { kind: "admin_key_created", clientAddress, by, apiKeyId, hint });
  }
}
