import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { createApiClient } from "./support/api-client.ts";
import { useGateway } from "./support/use-gateway.ts";

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway));
const read = (): Promise<Schemas["Account"]> => client.get("/account");
const rename = (name: string) => client.ask("PATCH", "/account", { name });

describe("the name of an account", () => {
  test("is its address until it is given one, and nothing else of it changes then", async () => {
    // Only a read returns how much of the limit is used.
    const { rateLimit, ...before } = await read();
    expect(before.name).toBe(client.account.email);
    expect(rateLimit).toEqual({ requestsPerMinute: 1_000_000, used: expect.any(Number), resetsAt: expect.any(String) });
    const name = "Bücher & Söhne 📚";
    expect(await rename(name)).toEqual({ ...before, name, rateLimit: { requestsPerMinute: 1_000_000 } });
    expect((await read()).name).toBe(name);
  });

  test("may be the same as another's: it tells nobody apart", async () => {
    const other = await gateway.createAccount();
    await gateway.platform.accounts.rename({ id: other.id, name: "Acme" });
    expect(await rename("Acme")).toMatchObject({ name: "Acme" });
  });
});
