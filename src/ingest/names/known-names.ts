/** Splits a word list. The lists below come from language, shell and platform standards, not from any corpus. */
function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Keywords, literals and built-in types of common languages. They occur on every page, so they connect nothing. */
export const KEYWORDS = words(`
  abstract and any array as asm async auto await base bigint bool boolean break by byte case catch char class const
  constexpr consteval constinit continue debugger declare decltype def default del delete do double dynamic elif else
  elseif end enum except explicit export extends extern false final finally fixed float fn for foreach from func function
  goto if impl implements import in include inline instanceof int int8 int16 int32 int64 integer interface internal is keyof
  lambda let long loop match mod module mutable namespace native never new nil noexcept none not null nullptr number object
  of operator or out override package params pass private protected public pub raise readonly ref register require
  restrict return sealed self set short signed sizeof static str string struct super switch symbol template this throw
  throws trait true try tuple type typedef typeid typename typeof uint uint8 uint16 uint32 uint64 undefined union unknown
  unsafe unsigned use using value var virtual void volatile wchar_t where while with yield
  __int8 __int16 __int32 __int64 size_t char8_t char16_t char32_t
`);

/** Words that precede the name they introduce, as in `new Thing()`. */
export const INTRODUCERS = words(`
  abstract async await class constexpr def enum export extends extern fn func function implements inline interface namespace new
  private protected public readonly static struct throw type typedef typename typeof using virtual
`);

/** Programs with subcommands, and programs whose names are unambiguous in a span of several words. */
export const PROGRAMS = words(`
  ansible apt apt-get aws az brew bun bunx bundle cargo choco cmake composer conda corepack curl deno docker docker-compose dotnet
  firebase flutter gcloud gem gh git go gradle heroku helm java javac jest kubectl ldconfig make mkdir msbuild mvn
  netsh ng node npm npx nuget openssl pip pip3 pipx pipenv pnpm poetry ps psql pwsh pulumi python python3 rustc rustup
  scoop ssh sudo systemctl tar terraform tsc uv uvx vcpkg vercel vite wget winget wrangler wsl yarn yum
`);

/** Programs whose second word is an argument, never a subcommand. */
export const PLAIN_PROGRAMS = words(`
  awk bash bunx cat cd chmod chown cl clang cmd code copy cp curl cut date del diff dir echo env erase exit export false find
  gcc g++ grep head java javac kill killall less link ln ls make man md mkdir more move mv node nohup nmake open ping
  powershell printf ps pwd pwsh python python3 rd read ren rm rmdir rsync scp sed set sh sleep sort source ssh start sudo
  tail tar tee test time touch tsc tsx ts-node true type uniq unset unzip uvx vi vim wc wget which who xargs xcopy zip zsh
`);

/** Keywords of shell languages. */
export const SHELL_WORDS = words(
  'if then else elseif elif fi for in do done while until case esac function return local break continue not goto rem begin end foreach param process filter class enum using switch try catch finally throw trap',
);

/** Programs that only run another program. */
export const RUNNERS = words('sudo env exec nohup time call winpty command');

/** Verbs that PowerShell approves for cmdlets. Other hyphenated names are HTTP headers and the like. */
export const CMDLET_VERBS = words(`
  Add Clear Close Copy Enter Exit Find Format Get Hide Join Lock Move New Open Optimize Pop Push Redo Remove Rename Reset
  Resize Search Select Set Show Skip Split Step Switch Undo Unlock Watch Connect Disconnect Read Receive Send Write Backup
  Checkpoint Compare Compress Convert ConvertFrom ConvertTo Dismount Edit Expand Export Group Import Initialize Limit Merge
  Mount Out Publish Restore Save Sync Unpublish Update Debug Measure Ping Repair Resolve Test Trace Approve Assert Build
  Complete Confirm Deny Deploy Disable Enable Install Invoke Register Request Restart Resume Start Stop Submit Suspend
  Uninstall Unregister Wait Block Grant Protect Revoke Unblock Unprotect Use ForEach Where Sort Tee
`);

/** Error names of POSIX, and those that Node.js adds for name resolution. */
export const ERRNO_NAMES = words(`
  E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED
  ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR
  EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV
  ENOENT ENOEXEC ENOLCK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTRECOVERABLE
  ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS
  ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV
`);

/** Prefixes of numbers that belong to standards, products and keys, not to errors. */
export const STANDARDS = words(`
  AES ANSI ARM BIP BS COM CP CPU CVE CY DIN ECMA EN ES FIPS FY GB HMAC HS HTTP IBM IEC IEEE ISO JIS KB MD MS MSVC NIST OS PEP PS
  RC RFC RS RSA SDK SHA SQL TLS UTF VC VS WIN X XP Y
`);

/** File extensions, without those that are also common member names. */
export const EXTENSIONS = words(`
  asm asmx asp aspx avi bash bat bmp c cc cfg cjs cmd conf config cpp crt cs csproj css csv cts cur cxx dat dll dockerfile dylib
  editorconfig eslintrc exe fsproj gif gitignore go gql gradle graphql gz h hpp htm html hxx ico idl inf ini inl ipynb ixx
  jar java jpeg jpg js json json5 jsonc jsx kt kts lib lua man manifest md mdx mjs msi mts natvis npmrc nuspec obj pch pdb pdf
  pem php plist png prisma proj proto ps1 ps1xml psd1 psm1 pssc psrc pubxml py rb rc resx rgs rs rtf scss sh sln snk so
  sql sqlite svg swift tar tgz tlb toml ts tsv tsx ttf txt vb vbproj vcproj vcxproj vue wasm woff xaml xls xlsx xml xsd
  xsl yaml yml zip
`);

/** Well-known files and folders whose names begin with a dot. */
export const DOT_FILE =
  /^\.(?:env|gitattributes|dockerignore|npmignore|prettierignore|eslintignore|nvmrc|babelrc|prettierrc|swcrc|bashrc|zshrc|profile|git|github|vscode|ssh)(?:\.[\w.-]+)?$/;

/** Words that are often bold before a colon but are not terms. */
export const REMARKS = words(`
  note notes warning tip hint info important caution danger example examples returns return default defaults required optional
  see usage remarks syntax parameters parameter output input result results answer question step summary todo fixme pros
  cons before after yes no why how what when where this that these those it you we they here there update new deprecated
  the for if in on to from with at as and or but all any each every use using
`);
