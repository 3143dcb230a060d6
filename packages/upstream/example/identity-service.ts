import { createMemoryReplayStore, PrincipalRefused, verifyPrincipal, type VerifiedPrincipal } from "../src/index.ts";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";

export type IdentityServiceOptions = { secret: string; now?: () => number };

type Verification = Record<string, unknown> & { id: string };
type Answer = { status: number; data?: unknown; meta?: object; error?: { code: string; message: string } };
type Asked = {
  principal: VerifiedPrincipal;
  method: string;
  path: string;
  body: unknown;
  idempotencyKey: string | undefined;
};

/**
 * The identity service of the document, as an external team may write it. Verifies the caller, keeps verifications in
 * memory by account, and returns the first response again for a repeated key. No more is needed: the gateway checks
 * credential, permission, limit and form, and the response.
 */
export function createIdentityService({ secret, now = Date.now }: IdentityServiceOptions): RequestListener {
  const replays = createMemoryReplayStore(now);
  const service = createVerifications(now);
  return async (req, res) => {
    const answer = await handle(req).catch((error: unknown) => refusalOf(error));
    const { status, data, meta, error } = answer;
    res.writeHead(status, { "Content-Type": "application/json" });
    res.end(JSON.stringify(error ? { error, meta: {} } : { data, meta: { ...meta } }));
  };

  async function handle(req: IncomingMessage): Promise<Answer> {
    const { method = "GET", url: target = "/", headers } = req;
    const body = await readBody(req);
    const principal = await verifyPrincipal(
      { method, target, headers, body },
      { secret, audience: "identity", replays, now },
    );
    const idempotencyKey = headers["idempotency-key"];
    return service({
      ...{ principal, method, path: target.split("?")[0] ?? "" },
      ...{ body: body.length > 0 ? JSON.parse(body.toString()) : null },
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    });
  }
}

function createVerifications(now: () => number): (asked: Asked) => Answer {
  const byAccount = new Map<string, Verification[]>();
  const answers = new Map<string, Answer>();
  const list = "/api/v1/kyc-verifications";

  return (asked) => {
    const { principal, method, path, idempotencyKey } = asked;
    const first = idempotencyKey === undefined ? undefined : answers.get(idempotencyKey);
    if (first) {
      return first;
    }
    const known = byAccount.get(principal.accountId) ?? [];
    byAccount.set(principal.accountId, known);
    if (path === list && method === "GET") {
      return { status: 200, data: known, meta: { hasMore: false, nextCursor: null } };
    }
    if (path === list && method === "POST") {
      const verification = submitted(asked.body as Record<string, unknown>, now());
      known.unshift(verification);
      const answer = { status: 201, data: verification };
      if (idempotencyKey !== undefined) {
        answers.set(idempotencyKey, answer);
      }
      return answer;
    }
    const found = known.find(({ id }) => path === `${list}/${id}`);
    return found && method === "GET"
      ? { status: 200, data: { ...found, decisionReason: null } }
      : { status: 404, error: { code: "NOT_FOUND", message: "There is no such verification in this account." } };
  };
}

function submitted(
  { reference = null, externalId = null, metadata = {} }: Record<string, unknown>,
  nowMs: number,
): Verification {
  return {
    ...{ id: createId(), reference, externalId, metadata, status: "submitted" },
    checks: ["age", "document", "watchlist"].map((name) => ({ name, result: "waiting", code: null })),
    ...{ rejectionCode: null, rejectionReason: null, previousVerificationId: null, decidedBy: null },
    ...{ createdAt: new Date(nowMs).toISOString(), decidedAt: null, validUntil: null, personalDataDeletedAt: null },
  };
}

/** `kyc_` and 26 characters of Crockford's base 32, the first at most 7. */
function createId(): string {
  const characters = "0123456789abcdefghjkmnpqrstvwxyz";
  const random = Array.from(randomBytes(25), (byte) => characters[byte % 32]).join("");
  return `kyc_0${random}`;
}

function refusalOf(error: unknown): Answer {
  return error instanceof PrincipalRefused
    ? { status: 401, error: { code: "UNAUTHENTICATED", message: error.message } }
    : { status: 500, error: { code: "INTERNAL_ERROR", message: "Something failed." } };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
