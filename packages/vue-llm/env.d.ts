/** Bundlers replace `process.env.NODE_ENV`; nothing else of `process` may be used in the sources. */
declare const process: { readonly env: { readonly NODE_ENV?: string } }
