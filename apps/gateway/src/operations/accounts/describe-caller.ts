import type { OperationDeps } from "../operation.ts";
import type { Principal } from "../../pipeline/call.ts";

/** Who did it, in the words of a mail. */
export async function describeCaller(
  { accountId, credential }: Principal,
  { accounts }: Pick<OperationDeps<"accounts">, "accounts">,
): Promise<string> {
  if (credential.kind === "apiKey") {
    return `the API key ${credential.apiKeyId}`;
  }
  const person = await accounts.people.get({ id: credential.personId, accountId });
  return `${person?.email ?? credential.personId}, through the application ${credential.applicationId}`;
}
