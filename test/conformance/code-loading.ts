/** Waits until Vitest has loaded the code that the test imports on demand. The attack runs without Vitest, as one compiled file. */
export async function codeLoaded(): Promise<void> {
  if (process.env.VITEST === undefined) return;
  const { vi } = await import("vitest");
  await vi.dynamicImportSettled();
}
