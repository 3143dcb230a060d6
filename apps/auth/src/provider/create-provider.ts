import type { PrivateJwk } from "@gateway/platform/auth";
import { amendMetadata } from "./amend-metadata.ts";
import { answerFailures, type OnFailure } from "./answer-failures.ts";
import { createErrorsBeforeSignIn } from "./errors-before-sign-in.ts";
import { createExchange } from "./exchange.ts";
import type { ExchangeSlots } from "./exchange-slots.ts";
import { GatewayProvider } from "./gateway-provider.ts";
import { providerConfiguration, type ProviderConfigurationDeps } from "./provider-configuration.ts";
import { amendRevocation } from "./revoke-tokens.ts";
import { amendSignOut, type SignOutDeps } from "./sign-out.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import type { IssuedTokens } from "./issued-tokens.ts";

export type ProviderDeps = ProviderConfigurationDeps &
  SignOutDeps & {
    browserSessions: ProviderConfigurationDeps["browserSessions"] & SignOutDeps["browserSessions"];
    unitOfWork: UnitOfWork;
    slots: ExchangeSlots;
    looks: ExchangeSlots;
    accessTokens: IssuedTokens;
    onFailure: OnFailure;
  };

export function createProvider(deps: ProviderDeps, keys: readonly PrivateJwk[]): GatewayProvider {
  const provider = new GatewayProvider(deps.authUrl, providerConfiguration(deps, keys), {
    exchange: createExchange(deps),
    errorsBeforeSignIn: createErrorsBeforeSignIn(deps),
  });
  // The first one is around all others.
  answerFailures(provider, deps);
  amendMetadata(provider, deps);
  amendSignOut(provider, deps);
  amendRevocation(provider, deps);
  return provider;
}
