import type { OperationPolicy } from "@gateway/contract";
import { expect, test } from "vitest";
import { atOnce, countCodes } from "./support/answers.ts";
import { createApiClient, type ApiClient } from "./support/api-client.ts";
import { allOperations, bodySchemaOf, queryNamesOf } from "./support/document-request.ts";
import type { Answer } from "./support/http-client.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { useGateway } from "./support/use-gateway.ts";

const creations = allOperations.filter(
  (operation) =>
    operation.hasBody && !operation.path.includes("{") && "externalId" in bodySchemaOf(operation).properties,
);
const listsByExternalId = allOperations
  .filter((operation) => operation.method === "get" && queryNamesOf(operation).includes("externalId"))
  .map(({ path }) => path);
const gateway = useGateway({ keepsStill: true });

test.each(creations)(
  "of 20 who send $operationId with one external id at once one succeeds, which its list finds; another account has its own",
  async (operation) => {
    const [client, other] = [await createApiClient(gateway), await createApiClient(gateway)];
    const create = await creationOf(operation, client);
    expect(countCodes(await atOnce(20, create))).toEqual({ 201: 1, EXTERNAL_ID_USED: 19 });
    if (listsByExternalId.includes(operation.path)) {
      const path = operation.path.replace("/api/v1", "");
      expect(await client.get(`${path}?externalId=mine`)).toHaveLength(1);
      expect(await client.get(`${path}?externalId=min`)).toEqual([]);
    }
    const theirs = await creationOf(operation, other);
    expect((await theirs()).status).toBe(201);
  },
);

async function creationOf(operation: OperationPolicy, { account, key }: ApiClient) {
  const { platform, database } = gateway;
  const { method, target, body } = await sampleRequest(operation, { platform, database, accountId: account.id });
  // On a busy machine some requests exceed the maximum wait for a lock, and the refusal asks them to try again.
  const insist = async (): Promise<Answer> => {
    const answer = await gateway.call({ method, target, key, body: { ...body, externalId: "mine" } });
    return answer.status === 503 ? insist() : answer;
  };
  return insist;
}
