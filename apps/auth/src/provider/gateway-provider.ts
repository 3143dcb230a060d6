import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider, type Configuration, type TokenEndpointGrantContext, type UnknownObject } from "oidc-provider";
import type { ErrorsBeforeSignIn } from "./errors-before-sign-in.ts";
import type { Exchange, GrantHandler } from "./exchange.ts";
import { perInteraction } from "./interaction-cookies.ts";

type Names = string | readonly string[] | ReadonlySet<string>;
type ResponseModeHandler = Parameters<Provider["registerResponseMode"]>[1];

/** The library with changes that its configuration cannot make. The `register` methods run during construction. */
export class GatewayProvider extends Provider {
  readonly #exchange: Exchange;
  readonly #errorsBeforeSignIn: ErrorsBeforeSignIn;
  #handler: ReturnType<Provider["callback"]> | undefined;

  constructor(
    issuer: string,
    configuration: Configuration,
    deps: { exchange: Exchange; errorsBeforeSignIn: ErrorsBeforeSignIn },
  ) {
    super(issuer, configuration);
    this.#exchange = deps.exchange;
    this.#errorsBeforeSignIn = deps.errorsBeforeSignIn;
    // The library builds addresses with the protocol and host of the issuer: see `pinHost`.
    this.proxy = true;
  }

  /** Handles a request. Middleware that is added later has no effect on it. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.#handler ??= this.callback();
    await this.#handler(req, res);
  }

  override createContext<State>(req: IncomingMessage, res: ServerResponse) {
    const context = super.createContext<State>(req, res);
    context.cookies = perInteraction(context.cookies, {
      name: this.cookieName("interaction"),
      path: (req.url ?? "").split("?", 1)[0] ?? "",
    });
    return context;
  }

  override registerGrantType<Params extends object = UnknownObject>(
    name: string,
    handler: (ctx: TokenEndpointGrantContext<Params>) => unknown,
    parameters?: Names,
    duplicates?: Names,
  ): void {
    // The cast is safe because the parameters of a kind of grant do not matter here.
    const handle = handler as GrantHandler;
    super.registerGrantType(name, (ctx) => this.#exchange(name, handle, ctx), parameters, duplicates);
  }

  /** Leaves out `form_post`, because our pages never carry a code in a form that a script submits. */
  override registerResponseMode(name: string, handler: ResponseModeHandler): void {
    if (name !== "form_post") {
      super.registerResponseMode(name, async (ctx, redirectUri, payload) => {
        const isAnswered = await this.#errorsBeforeSignIn(ctx, payload);
        await (isAnswered || handler.call(this, ctx, redirectUri, payload));
      });
    }
  }
}
