import type { OperationPolicy } from "@gateway/contract";
import type { ApiKeyWithSecret, Permission } from "@gateway/platform/accounts";
import { digestDatabase } from "@gateway/testkit";
import { expect } from "vitest";
import { isForPeople, signInAtConsole } from "./for-people.ts";
import type { Answer, Ask } from "./http-client.ts";
import { createSharedSamples, sampleRequest, type SampleRequest } from "./sample-request.ts";
import { ageOwner } from "./samples/accounts.ts";
import type { Owner } from "./samples/sample-owner.ts";
import { startTestGateway } from "./test-gateway.ts";
import { startTestIssuer } from "./test-issuer.ts";

/** A gateway with a database of its own, and an account that may call every operation. */
export type SampleWorld = {
  accountId: string;
  /** A request that succeeds. */
  sample(operation: OperationPolicy): Promise<SampleRequest>;
  /** One sample of an operation, shared by all its wrong requests, because a refusal has no effect. */
  sharedSample(operation: OperationPolicy): Promise<SampleRequest>;
  /**
   * Sends a request as a person in the console if the operation is for people, and otherwise with an admin key, unless
   * `key` is given.
   */
  call(request: Ask & { key?: string }): Promise<Answer>;
  /** Sends a request that must leave no trace in any table. */
  callInVain(request: Ask & { key?: string }): Promise<Answer>;
  /** Events that were recorded, without those that were recorded on request as tests. */
  events(): Promise<{ id: string; type: string }[]>;
  createKey(permission: Permission): Promise<ApiKeyWithSecret>;
  createStranger(): Promise<Owner>;
  stop(): Promise<void>;
};

export async function openSampleWorld(): Promise<SampleWorld> {
  const issuer = await startTestIssuer();
  const gateway = await startTestGateway({ issuer, keepsStill: true });
  const account = await gateway.createAccount();
  const person = await signInAtConsole(gateway, { issuer, account });
  await ageOwner({ ...gateway, accountId: account.id });
  const { secret } = await gateway.createKey(account, "admin");

  const sample: SampleWorld["sample"] = (operation) => sampleRequest(operation, { ...gateway, accountId: account.id });
  const call: SampleWorld["call"] = async (request) =>
    isForPeople(request) && request.key === undefined
      ? gateway.call({ ...request, headers: { ...(await person()), ...request.headers } })
      : gateway.call({ key: secret, ...request });
  return {
    accountId: account.id,
    sample,
    sharedSample: createSharedSamples(sample),
    call,
    callInVain: async (request) => {
      const before = await digestDatabase(gateway.database);
      const answer = await call(request);
      expect(await digestDatabase(gateway.database)).toEqual(before);
      return answer;
    },
    events: () =>
      gateway.database.kysely.selectFrom("events").select(["id", "type"]).where("is_test", "=", false).execute(),
    createKey: (permission) => gateway.createKey(account, permission),
    createStranger: async () => ({ platform: gateway.platform, accountId: (await gateway.createAccount()).id }),
    stop: async () => {
      await gateway.stop();
      await issuer.stop();
    },
  };
}
