import { createTypeId } from "@gateway/kernel";
import { packRequests, type LoggedRequest } from "@gateway/platform/request-log";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const requestLogSamples: ServiceSamples = { makers: { req: createLoggedRequest } };

async function createLoggedRequest(owner: Owner): Promise<{ id: string }> {
  const [request] = await logRequests(owner, 1);
  return request ?? { id: "" };
}

/** Logs requests like the gateway. */
export async function logRequests({ platform, accountId }: Owner, count: number): Promise<{ id: string }[]> {
  const { writers } = platform.requestLog;
  // Made by the application, if there is one, because it sees only its own requests.
  const [application] = (await platform.accounts.oauthApplications.list({ accountId, limit: 1 })).items;
  const requests = Array.from({ length: count }, () => sampleLoggedRequest(accountId, application?.id ?? null));
  const nowMs = Date.now();
  const writerId = writers.createWriterId();
  await writers.write({
    writerId,
    number: 1,
    takenAtMs: nowMs,
    completeBeforeMs: nowMs,
    requests: packRequests(requests),
    lost: [],
  });
  await writers.end(writerId);
  return requests;
}

function sampleLoggedRequest(accountId: string, applicationId: string | null): LoggedRequest {
  return {
    ...{ id: createTypeId("req"), accountId, method: "GET", path: "/api/v1/wallets", query: null },
    ...{ operationId: "listWallets", status: 200, code: null, durationMs: 1, source: "api", details: null },
    caller:
      applicationId === null
        ? { kind: "apiKey", id: createTypeId("key"), personId: null }
        : { kind: "application", id: applicationId, personId: createTypeId("per") },
    ...{ isReplayed: false, isAnswered: true, rateLimit: null, requestBytes: null, responseBytes: 2, userAgent: null },
  };
}
