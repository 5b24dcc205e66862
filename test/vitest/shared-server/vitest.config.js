import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: { globalSetup: ["kubedouble/vitest/global-setup"], maxWorkers: 2, include: ["*.test.js"] },
});
