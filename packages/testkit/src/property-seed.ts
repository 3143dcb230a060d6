import fc from "fast-check";

/** The gate tries the same values in every run. `PROPERTY_SEED` gives others, and a failing property prints its own. */
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 26) });
