/** Values as read by `urlSetting` and `encryptionKeysSetting`: null when unset. */
export type RequiredSettingValues = {
  readonly DATABASE_URL: string | null;
  readonly ENCRYPTION_KEYS: readonly Buffer[] | null;
};

export type RequiredSettings = { databaseUrl: string; encryptionKeys: readonly Buffer[] };

/** Only the gateway's keys are created. Other programs encrypt and decrypt data in the same database. */
const keysAdvice = { own: "; make one with: openssl rand -base64 32", "of the gateway": ": the one of the gateway" };

/** For the check of readSettings: the settings that every deployed process needs. */
export function checkRequiredSettings(
  read: Partial<RequiredSettingValues>,
  { keys }: { keys: keyof typeof keysAdvice },
): string[] {
  return [
    ...(read.DATABASE_URL === null
      ? [
          "DATABASE_URL is needed, for instance postgres://gateway:password@localhost:5432/gateway (npm start brings its own)",
        ]
      : []),
    ...(read.ENCRYPTION_KEYS === null ? [`ENCRYPTION_KEYS is needed${keysAdvice[keys]}`] : []),
  ];
}

/** The same values in the form of a config, once `checkRequiredSettings` found no fault. */
export function requiredSettingsOf(values: RequiredSettingValues): RequiredSettings {
  if (values.DATABASE_URL === null || values.ENCRYPTION_KEYS === null) {
    throw new Error("A required setting is null: checkRequiredSettings did not run.");
  }
  return { databaseUrl: values.DATABASE_URL, encryptionKeys: values.ENCRYPTION_KEYS };
}
