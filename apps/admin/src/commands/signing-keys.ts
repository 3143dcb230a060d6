import { deploymentAccountId } from "@gateway/platform/audit";
import { signingKeyAt, type SigningKey } from "@gateway/platform/auth";
import type { PriceSigningKey } from "@gateway/platform/oracle";
import { UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import type { Row } from "../render-result.ts";

export const signingKeyCommands: Commands = {
  "signing-keys list":
    ({ command }) =>
    async ({ platform, clock, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      const keys = await platform.auth.signingKeys.list();
      const signing = signingKeyAt(keys, clock.now());
      return keys.map((key) => ({ ...signingKeyRow(key), signs: key.id === signing?.id }));
    },
  "signing-keys roll":
    ({ values }) =>
    async ({ platform, hasEncryptionKeys }) => {
      needKeys(hasEncryptionKeys, "the one of the gateway and the identity provider");
      const immediately = values.immediately === true;
      return signingKeyRow(await platform.transaction(({ auth }) => auth.signingKeys.roll({ immediately })));
    },
  "price-signing-keys list":
    ({ command }) =>
    async ({ platform, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await platform.oracle.signingKeys.list({ limit: 100 })).items.map(priceSigningKeyRow);
    },
  "price-signing-keys roll":
    () =>
    async ({ platform, hasEncryptionKeys }) => {
      needKeys(hasEncryptionKeys, "the one of the gateway");
      return priceSigningKeyRow(await platform.transaction(({ oracle }) => oracle.signingKeys.roll()));
    },
};

/** A signing key is stored encrypted. */
function needKeys(areThere: boolean, which: string): void {
  if (!areThere) {
    throw new UsageError(`ENCRYPTION_KEYS is needed: ${which}.`);
  }
}

function signingKeyRow({ id, algorithm, createdAt, signsFrom, retiresAt }: SigningKey): Row {
  return { id, algorithm, createdAt, signsFrom, retiresAt };
}

function priceSigningKeyRow({ id, algorithm, createdAt, retiredAt }: PriceSigningKey): Row {
  return { id, algorithm, createdAt, retiredAt };
}
