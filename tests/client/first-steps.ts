import { createClient, PermissionError, ValidationError } from "gateway-api-client";
import { signTestPayload, verifyWebhook } from "gateway-api-client/webhooks";

export async function firstSteps(
  baseUrl: string,
  credential: { apiKey: string } | { accessToken: string },
): Promise<string[]> {
  const client = createClient({ ...credential, baseUrl });
  const wallets = await Array.fromAsync(client.wallets.list({ limit: 2 }));
  const object = await client.wallets.create({ name: "Payroll", currency: "EUR" });
  const error = await client.wallets.create({ name: "", currency: "EUR" }).catch((thrown: unknown) => thrown);
  const fields = error instanceof ValidationError ? error.details.map(({ field }) => field) : [];
  const envelope = { id: "evt_1", created: object.createdAt, livemode: false } as const;
  const test = await signTestPayload({ ...envelope, type: "wallet.created", data: { object } }, "whsec_1");
  const event = await verifyWebhook(test.body, test.headers["X-Service-Signature"], "whsec_1");
  const currency = event.type === "wallet.created" ? event.data.object.currency : "another type";
  return [...wallets.map(({ name }) => name), ...fields, currency];
}

/** Returns the error message that a web page reads when it calls with an API key. */
export async function carryKey(baseUrl: string, apiKey: string): Promise<string> {
  const error = await createClient({ apiKey, baseUrl })
    .account.get()
    .catch((thrown: unknown) => thrown);
  return error instanceof PermissionError ? error.message : String(error);
}
