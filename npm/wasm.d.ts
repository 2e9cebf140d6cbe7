/** The core as WebAssembly, deflated, in base64: make_npm.py writes wasm.js. */
export const wasm: string;
