import { deploymentAccountId } from "@gateway/platform/audit";
import { signingKeyAt, type SigningKey } from "@gateway/platform/auth";
import type { PriceSigningKey } from "@gateway/platform/oracle";
import { UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import type { Row } from "../render-result.ts";

export const signingKeyCommands: Commands = {
  "signing-keys list":
    ({ command }) =>
    async ({ signingKeys, clock, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      const keys = await signingKeys.list();
      const signing = signingKeyAt(keys, clock.now());
      return keys.map((key) => ({ ...signingKeyRow(key), signs: key.id === signing?.id }));
    },
  "signing-keys roll":
    ({ values }) =>
    async ({ rollSigningKey }) => {
      if (!rollSigningKey) {
        throw new UsageError("ENCRYPTION_KEYS is needed: the one of the gateway and the identity provider.");
      }
      return signingKeyRow(await rollSigningKey({ immediately: values.immediately === true }));
    },
  "price-signing-keys list":
    ({ command }) =>
    async ({ priceSigningKeys, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await priceSigningKeys.list({ limit: 100 })).items.map(priceSigningKeyRow);
    },
  "price-signing-keys roll":
    () =>
    async ({ rollPriceSigningKey }) => {
      if (!rollPriceSigningKey) {
        throw new UsageError("ENCRYPTION_KEYS is needed: the one of the gateway.");
      }
      return priceSigningKeyRow(await rollPriceSigningKey());
    },
};

function signingKeyRow(key: SigningKey): Row {
  return {
    id: key.id,
    algorithm: key.algorithm,
    createdAt: key.createdAt.toISOString(),
    signsFrom: key.signsFrom.toISOString(),
    retiresAt: key.retiresAt?.toISOString() ?? null,
  };
}

function priceSigningKeyRow(key: PriceSigningKey): Row {
  return {
    id: key.id,
    algorithm: key.algorithm,
    createdAt: key.createdAt.toISOString(),
    retiredAt: key.retiredAt?.toISOString() ?? null,
  };
}
