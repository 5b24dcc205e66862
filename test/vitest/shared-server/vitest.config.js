import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: what Vitest reads
export default defineConfig({
  test: { globalSetup: ["kubedouble/vitest/global-setup"], maxWorkers: 2, include: ["*.test.js"] },
});
