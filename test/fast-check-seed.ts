// Runs before every test file: fast-check generates what the printed seed says (vitest.config.ts).
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["TEST_SEED"]) });
