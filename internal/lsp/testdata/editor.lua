-- Opens FILE in Neovim with PGTXVET as its language server, waits for findings,
-- applies the first code action that has "fix" findings, saves, waits until what
-- is found has changed, and prints what it saw as JSON lines. It uses what Neovim
-- 0.7 has.
local file, binary, root = vim.env.FILE, vim.env.PGTXVET, vim.env.ROOT
local out = io.open(vim.env.OUT, "w")

local function say(event, value)
	out:write(vim.json.encode({ event = event, value = value }), "\n")
	out:flush()
end

local function finish(code)
	for _, client in ipairs(vim.lsp.get_active_clients()) do
		client.stop()
	end
	vim.wait(5000, function() return #vim.lsp.get_active_clients() == 0 end)
	out:close()
	vim.cmd("cquit " .. code)
end

local function findings()
	local list = {}
	for _, d in ipairs(vim.diagnostic.get(0)) do
		table.insert(list, { line = d.lnum + 1, col = d.col + 1, source = d.source, code = d.user_data and d.user_data.lsp.code or "", message = d.message })
	end
	return list
end

local function main()
	vim.cmd("edit " .. vim.fn.fnameescape(file))
	local id = vim.lsp.start_client({
		name = "pgtxvet",
		cmd = { binary, "lsp" },
		root_dir = root,
		workspace_folders = { { uri = vim.uri_from_fname(root), name = "root" } },
	})
	vim.lsp.buf_attach_client(0, id)
	if not vim.wait(120000, function() return #findings() > 0 end, 50) then
		say("error", "no findings")
		return finish(1)
	end
	local before = findings()
	say("findings", before)

	local line = vim.diagnostic.get(0)[1].lnum
	vim.api.nvim_win_set_cursor(0, { line + 1, vim.diagnostic.get(0)[1].col })
	local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 10000)
	say("hover", hover[id].result.contents.value)

	local params = vim.lsp.util.make_range_params()
	params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, line) }
	local answer = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 10000)
	local actions = answer[id].result
	local titles = {}
	for _, action in ipairs(actions) do
		table.insert(titles, action.title)
	end
	say("actions", titles)
	vim.lsp.util.apply_workspace_edit(actions[1].edit, vim.lsp.get_client_by_id(id).offset_encoding)
	vim.cmd("write")
	if not vim.wait(120000, function() return #findings() < #before end, 50) then
		say("error", "the findings do not change")
		return finish(1)
	end
	-- The line that was changed has none at once; what is found after the save counts.
	vim.wait(2000, function() return #findings() >= #before end, 50)
	say("after", findings())
	finish(0)
end

local ok, err = pcall(main)
if not ok then
	say("error", tostring(err))
	finish(1)
end
