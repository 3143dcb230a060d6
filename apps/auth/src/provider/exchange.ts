import type { ExchangeFacts, NamedRecord, SentToken } from "@gateway/platform/auth";
import { createHash } from "node:crypto";
import { errors, type TokenEndpointGrantContext } from "oidc-provider";
import type { ExchangeSlots } from "./exchange-slots.ts";
import { createPendingExchange, type PendingExchange } from "./pending-exchange.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** The library's work for one kind of grant: it uses up the code or token and sets `ctx.body`. */
export type GrantHandler = (ctx: TokenEndpointGrantContext) => unknown;

/** Runs the library's handler as one exchange. Resolves after the commit, so no response leaves before it. */
export type Exchange = (grantType: string, handler: GrantHandler, ctx: TokenEndpointGrantContext) => Promise<void>;

const exchangedBy: Readonly<Record<string, { parameter: string; model: string }>> = {
  authorization_code: { parameter: "code", model: "AuthorizationCode" },
  refresh_token: { parameter: "refresh_token", model: "RefreshToken" },
};

export type ExchangeDeps = {
  unitOfWork: UnitOfWork;
  slots: ExchangeSlots;
  /** A few more slots, for checking whether an earlier response can be sent again. */
  looks: ExchangeSlots;
};

/**
 * Serves the library's reads from one prior read, and commits its writes as a whole once it has decided. Of concurrent
 * exchanges of one code or token, in any process, one succeeds; the others see a used one. A refused exchange changes
 * nothing, so a wrong `resource` can be corrected. A used code or token ends its family nevertheless. A refresh token
 * used a moment ago gets the same response, so that neither a lost response nor a race signs the user out.
 */
export function createExchange(deps: ExchangeDeps): Exchange {
  const answers = createSharedAnswers();
  return async (grantType, handler, ctx) => {
    const exchanged = exchangedBy[grantType];
    const name = exchanged && ctx.oidc.params[exchanged.parameter];
    if (!exchanged || typeof name !== "string") {
      // The library reports the missing parameter.
      await handler(ctx);
      return;
    }
    const named = { model: exchanged.model, name };
    const attempt = () => exchangeOnce(deps.unitOfWork, named, handler, ctx);
    const key = createHash("sha256").update(name).digest("base64");
    const exchange = async (): Promise<void> => {
      if (deps.slots.areTaken() && (await deps.looks.run(key, () => giveAgain(deps.unitOfWork, named, ctx)))) {
        return;
      }
      const outcome = await deps.slots.run(key, async () => {
        const first = await attempt();
        // The winner of the race has committed, so a second attempt decides.
        return first === "lost" ? attempt() : first;
      });
      if (outcome === "lost") {
        throw new Error("An exchange of this token lost the race twice.");
      }
      if (outcome) {
        throw outcome;
      }
    };
    await (exchanged.model === "RefreshToken"
      ? answers.share(`${key} ${ctx.oidc.client.clientId}`, exchange, ctx)
      : exchange());
  };
}

/**
 * Shares one response among tabs that refresh one token together. One after the other, the last of a hundred waited too
 * long.
 */
function createSharedAnswers() {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    /** `refresh` sets `ctx.body`. */
    share: async (key: string, refresh: () => Promise<void>, ctx: TokenEndpointGrantContext): Promise<void> => {
      const others = underWay.get(key);
      const body = others && (await others);
      if (body) {
        ctx.body = body;
        return;
      }
      const refreshed = refresh();
      const answered = refreshed.then(
        () => ctx.body,
        () => null,
      );
      underWay.set(key, answered);
      await refreshed.finally(() => underWay.delete(key));
    },
  };
}

type Refusal = errors.OIDCProviderError;

/** Null when `ctx.body` is the response; "lost" when the code or token was used or removed meanwhile. */
async function exchangeOnce(
  unitOfWork: UnitOfWork,
  named: NamedRecord,
  handler: GrantHandler,
  ctx: TokenEndpointGrantContext,
): Promise<Refusal | null | "lost"> {
  const facts = await unitOfWork.current().services.auth.tokenExchanges.find(named);
  const sent = sentTokenOf(named, ctx);
  if (answerAgain(facts, sent, ctx)) {
    return null;
  }
  const exchange = createPendingExchange(named, facts);
  const refusal = await unitOfWork.runExchange(exchange, () => settle(() => handler(ctx)));
  if (refusal) {
    await (facts?.record.consumedAt && endFamily(unitOfWork, exchange));
    return refusal;
  }
  const isFirst = await writeTokens(unitOfWork, exchange, sent && { ...sent, body: JSON.stringify(ctx.body) });
  return isFirst ? null : "lost";
}

/** Sets `ctx.body` to the earlier response of a token that was used a moment ago. Returns whether there is one. */
async function giveAgain(unitOfWork: UnitOfWork, named: NamedRecord, ctx: TokenEndpointGrantContext): Promise<boolean> {
  const sent = sentTokenOf(named, ctx);
  return sent !== null && answerAgain(await unitOfWork.current().services.auth.tokenExchanges.find(named), sent, ctx);
}

function answerAgain(facts: ExchangeFacts | null, sent: SentToken | null, ctx: TokenEndpointGrantContext): boolean {
  // An ended grant gets no earlier response: the library examines the token, and refuses it.
  const given = sent && facts?.holder ? facts.answerFor(sent) : null;
  if (given) {
    ctx.body = JSON.parse(given.body);
  }
  return given !== null;
}

function sentTokenOf({ model, name }: NamedRecord, { oidc }: TokenEndpointGrantContext): SentToken | null {
  return model === "RefreshToken" ? { refreshToken: name, clientId: oidc.client.clientId } : null;
}

function writeTokens(
  unitOfWork: UnitOfWork,
  exchange: PendingExchange,
  answer: (SentToken & { body: string }) | null,
): Promise<boolean> {
  const { used, saved, others } = exchange.outcome();
  const [successor, ...more] = saved;
  if (used === null || successor === undefined || more.length > 0 || others.length > 0) {
    throw new Error("The library has exchanged a token in a way that was not foreseen.");
  }
  return unitOfWork.current().services.auth.tokenExchanges.finish({ used, successor, answer });
}

/** Runs the writes that the library requested when it met a used code or token. */
function endFamily(unitOfWork: UnitOfWork, exchange: PendingExchange): Promise<void> {
  return unitOfWork.run(async (services) => {
    for (const other of exchange.outcome().others) {
      await other(services);
    }
  });
}

/**
 * Returns a refusal as a value, because a reuse has to be recorded. Any other error is a failure, and nothing is
 * written.
 */
async function settle(work: () => unknown): Promise<Refusal | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) {
      return error;
    }
    throw error;
  }
}
